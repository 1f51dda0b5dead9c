// Tables of a campaign as data: a button for each kind of file.

import { fetchFile } from "../api.js";
import { h, saveFile, stemOf } from "../dom.js";

const KINDS = [["csv", "CSV"], ["xlsx", "Excel"]];

/** Buttons that download the table `name`, called `title`; `query` says for whom. */
export function tableButtons(game, name, title, query = {}, kinds = KINDS) {
  const fetchTable = async (kind) => {
    try {
      const answer = await fetchFile(`${game.base}/tables/${name}.${kind}`, query);
      saveFile(await answer.blob(), `${stemOf(game.state.file)}-${name}.${kind}`);
    } catch (error) {
      await game.wrong(error);
    }
  };
  return kinds.map(([kind, called]) => h("button", { "aria-label": `${title} as ${called}`, data: { table: `${name}.${kind}` }, on: { click: () => fetchTable(kind) } }, called));
}
