// The log of the area game beside the map: an order is one line, however many answers it was.

const CHOSEN = new Set(["unit", "stack", "end", "stop"]); // who acts, and that nothing more is done
const STEPS = new Set(["move", "arrow"]);

/** The lines without questions that an order has answered by itself; steps of one move as one. */
export function orderLines(lines) {
  const kept = [];
  for (const line of lines) {
    const { kind, name: who, places } = line.topic ?? {};
    if (line.kind !== "answer" || (!who && !CHOSEN.has(kind))) {
      kept.push(line);
      continue;
    }
    if (CHOSEN.has(kind)) continue;
    const last = kept.at(-1);
    if (!STEPS.has(kind)) kept.push({ ...line, text: `${who}: ${line.reply}` });
    else if (last?.who === who && last.step === line.step) {
      const ways = [...last.ways, ...places];
      kept[kept.length - 1] = { ...last, n: line.n, ways, text: [who, ...ways].join(" → ") };
    } else kept.push({ ...line, who, ways: places, text: [who, ...places].join(" → ") });
  }
  return kept;
}
