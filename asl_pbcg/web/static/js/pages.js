// The other views of a game: the log, the sheets, looking back.
export const pages = {};
export async function pieceCard() {}
