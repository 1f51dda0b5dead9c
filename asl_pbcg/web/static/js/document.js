export function documentPrompt() {}
