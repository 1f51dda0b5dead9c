// The log of the area game beside the map: an order is one line, however many answers it was.

const ASKED = /^(?:What (?:does|will)|Where do) (.+?) (?:do|move)\? (.+)$/;
const DROPPED = new Set(["act", "declare", "stack"]);
const MOVES = /^(?:move to|walk along the arrow to) (\S+)/;

/** The phase a step stands for, as ``3.4``, in words. */
export function phaseWords(step, state) {
  const [turn, phase] = step.split(".");
  const first = state.steps.length ? Number(state.steps[0].id.split(".")[1]) : 1;
  const found = phase === "1" ? { title: "Glider Landing Phase" } : state.steps[Number(phase) - first]; // it is there on turn 1 alone
  if (step === "score") return "Victory";
  return phase && found ? `Turn ${turn}, ${found.title}` : "Set-up";
}

/** The lines without questions that an order has answered by itself; steps of one move as one. */
export function orderLines(lines) {
  const kept = [];
  for (const line of lines) {
    if (line.kind !== "answer") {
      kept.push(line);
      continue;
    }
    if (DROPPED.has(line.point) || (line.point === "break_down" && line.text.endsWith("no more of this"))) continue;
    const told = line.text.match(ASKED);
    if (!told) {
      kept.push(line);
      continue;
    }
    const [, who, what] = told;
    if (what === "nothing more for now") continue;
    const to = what.match(MOVES)?.[1];
    const last = kept.at(-1);
    if (to && last?.who === who && last.step === line.step) {
      kept[kept.length - 1] = { ...last, n: line.n, ways: [...last.ways, to], text: [who, ...last.ways, to].join(" → ") };
    } else if (to) kept.push({ ...line, who, ways: [to], text: `${who} → ${to}` });
    else kept.push({ ...line, text: `${who}: ${what}` });
  }
  return kept;
}
