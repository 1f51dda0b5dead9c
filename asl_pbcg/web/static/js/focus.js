// The focus is never lost: where what had it goes away, it comes to the question or to a heading.

const PLACES = ["#question", "#app main:not([hidden]) h1", "#app .board"];

const isThere = (element) => element.getClientRects().length > 0;

/** Bring the focus to the question, or to what stands at the head of the page; false if neither is there yet. */
function toMainPart() {
  const place = PLACES.map((each) => document.querySelector(each)).find((each) => each && isThere(each));
  if (!place) return false;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  return true;
}

/** Look after the focus from now on. */
export function lookAfterFocus() {
  let had = null; // what had the focus last
  addEventListener("focusin", (event) => (had = event.target));
  addEventListener("pointerdown", () => (had = null), true); // a click beside everything is not a loss
  let due = 0; // once a frame: to ask where an element is has the page laid out
  const check = () => {
    due = 0;
    if (had && [had, document.body].includes(document.activeElement) && !isThere(had)) toMainPart();
  };
  new MutationObserver(() => {
    if (had) due ||= requestAnimationFrame(check);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "class", "open", "data-pane"] });
  document.querySelector("[data-skip]").addEventListener("click", (event) => {
    event.preventDefault();
    toMainPart();
  });
}
