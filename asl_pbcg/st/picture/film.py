"""A game as a film: a frame for each event, as the player saw it, with what was told."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from io import BytesIO
from typing import Final, NamedTuple, cast

from asl_pbcg.kernel.slow_libraries import Image, ImageDraw, ImageFont
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.picture.follow import Event
from asl_pbcg.st.picture.live_map import counters, live_drawing, live_frame, live_places
from asl_pbcg.st.picture.map_counters import Counter, draw_counters
from asl_pbcg.st.picture.map_frame import SheetRoom

DPI: Final = 130.0
"""Of the ground in the page."""
GIF_DPI: Final = 72.0
MAX_IN_FRAME: Final = 6
"""Counters of an area in a frame of the GIF; of more, five and how many more there are."""
_FOOT: Final = 48
_LINES: Final = 2
"""Of words below the map, under the turn and phase."""
_COLOURS: Final = 112
"""Of the ground in a GIF; the rest are for counters."""
_PAINT: Final = {
    "british": (217, 195, 154), "german": (93, 102, 95), "marker": (255, 253, 245),
    "ink": (28, 26, 23), "white": (255, 255, 255), "shot": (179, 35, 27), "paper": (251, 248, 238),
}  # fmt: skip


class FilmFrame(NamedTuple):
    """One frame: the event, and what lies where after it."""

    event: Event
    lying: dict[str, list[Counter]]


def frames_of(area_map: GameMap, events: Iterable[Event]) -> list[FilmFrame]:
    """Return a frame for each event in which something was told or something moved."""
    frames: list[FilmFrame] = []
    lying: dict[str, list[Counter]] = {}
    for event in events:
        if not event.state.ready:
            continue
        now = counters(event.state, area_map)
        if event.kind != "answer" or now != lying:
            frames.append(FilmFrame(event, now))
        lying = now
    return frames


# -- the page ---------------------------------------------------------------------------------


def html(area_map: GameMap, frames: Sequence[FilmFrame]) -> str:
    """Return the film as a page that stands alone: a slider, a button that plays, and the words."""
    ground = live_drawing(area_map)
    picture = base64.b64encode(ground.to_png(dpi=DPI)).decode()
    stacks: dict[str, list[tuple[int, str]]] = {}
    before: dict[str, list[Counter]] = {}
    events = []
    for number, (event, lying) in enumerate(frames):
        for area in sorted(lying.keys() | before.keys()):
            if area in area_map.areas and lying.get(area) != before.get(area):
                drawn = _stack(area_map, area, lying.get(area, []))
                stacks.setdefault(area, []).append((number, drawn))
        before = lying
        events.append(
            {
                "title": event.title,
                "text": event.text,
                "effect": event.effect,
                "dice": list(event.dice),
                "from": list(event.came_from),
                "at": event.at if event.came_from else "",
            }
        )
    centres = {name: _centre(area_map, name) for name in area_map.areas}
    data = json.dumps({"told": events, "stacks": stacks, "centres": centres}).replace(
        "<", "\\u003c"
    )
    box = f"0 0 {ground.width:g} {ground.height:g}"
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(area_map.title or 'Pegasus Bridge')}: a film</title>"
        f"<style>{_STYLE}</style><header><button>Play</button>"
        '<button aria-label="one back">&lsaquo;</button>'
        '<button aria-label="one on">&rsaquo;</button>'
        f'<input type="range" aria-label="frame" min="0" max="{len(frames) - 1}" value="0" '
        f'list="turns"><output></output>{_turns(frames)}'
        '<label>Speed <select id="speed"><option value="1500">slow</option>'
        '<option value="600" selected>even</option><option value="200">fast</option>'
        '</select></label><label><input type="checkbox" id="fit"> Fit</label></header>'
        f'<main style="--wide:{ground.width / ground.height:.3f}"><div class="map">'
        f'<img alt="the map" src="data:image/png;base64,{picture}">'
        f'<svg viewBox="{box}" font-family="Helvetica, Arial, sans-serif"><g></g><g></g></svg>'
        '</div><aside><h1></h1><p class="now"></p><ol></ol></aside></main>'
        f'<script type="application/json">{data}</script><script>{_SCRIPT}</script></html>\n'
    )


def _turns(frames: Sequence[FilmFrame]) -> str:
    """Return the marks of the turns on the slider, and a list to go to one."""
    first: dict[str, int] = {}
    for number, frame in enumerate(frames):
        first.setdefault(frame.event.step.split(".")[0], number)
    marks = "".join(f'<option value="{at}">' for at in first.values())
    names = "".join(f'<option value="{at}">turn {turn}</option>' for turn, at in first.items())
    return (
        f'<datalist id="turns">{marks}</datalist>'
        f'<select id="turn" aria-label="go to turn">{names}</select>'
    )


_STYLE: Final = (
    "body{font:15px/1.4 Georgia,serif;margin:0;background:#f3efe6;color:#24211b}"
    "header{display:flex;gap:1em;align-items:center;padding:.6em 1em;position:sticky;top:0;"
    "flex-wrap:wrap;background:#fdfbf6;border-bottom:1px solid #d9d1bf;z-index:1}"
    "[type=range]{flex:1 1 12em}.fit .map{width:min(100%,(100vh - 6em)*var(--wide))}"
    "main{display:grid;grid-template-columns:minmax(0,3fr) minmax(16em,2fr);gap:1em;padding:1em}"
    ".map{position:relative;align-self:start}.map img{width:100%;display:block}"
    ".map svg{position:absolute;inset:0;width:100%;height:100%}"
    "h1{font-size:1.15em;margin:0 0 .5em}.now{font-size:1.1em;min-height:4.5em;margin:0}"
    ".now b{color:#b3231b}ol{list-style:none;padding:0;color:#5d574b;font-size:.92em}"
    "li{border-left:3px solid #d9d1bf;padding:.15em .6em;margin:.15em 0}"
    ".die{display:inline-block;min-width:1.5em;text-align:center;border:1px solid #8a8271;"
    "border-radius:.3em;background:#fff;font-weight:bold;margin-right:.5em}"
    "aside{position:sticky;top:4em;align-self:start}"
    "@media(max-width:700px){main{grid-template-columns:1fr}aside{position:static}}"
)
_SCRIPT: Final = """
const find = (name) => document.querySelector(name);
const film = JSON.parse(find('script[type]').textContent);
const [slide, play] = [find('input'), find('button')];
const [back, on] = [...document.querySelectorAll('button')].slice(1);
const [lying, shots] = document.querySelectorAll('svg > g');
let running = 0;
const write = (name, words) => {
  const made = document.createElement(name);
  made.textContent = words;
  return made;
};
const latest = (list, at) => {
  let found = '';
  for (const [number, drawn] of list) {
    if (number > at) break;
    found = drawn;
  }
  return found;
};
const red = 'stroke="#b3231b" fill="none"';
const shot = ([x, y], [u, v]) =>
  `<path d="M${x} ${y}L${u} ${v}" stroke-width="3" stroke-dasharray="6 3" ${red}/>`;
function show(at) {
  const told = film.told[at];
  const to = film.centres[told.at];
  lying.innerHTML = Object.values(film.stacks).map((list) => latest(list, at)).join('');
  shots.innerHTML = !to ? '' : told.from.map((area) => shot(film.centres[area], to)).join('')
    + `<circle cx="${to[0]}" cy="${to[1]}" r="18" stroke-width="2.4" ${red}/>`;
  find('h1').textContent = told.title;
  const turns = [...find('#turn').options].filter((each) => Number(each.value) <= at);
  if (turns.length) turns.at(-1).selected = true;
  find('output').textContent = `${at + 1} of ${film.told.length}`;
  const dice = told.dice.map((die) => {
    const made = write('span', die);
    made.className = 'die';
    return made;
  });
  find('.now').replaceChildren(...dice, `${told.text} `, write('b', told.effect));
  const before = film.told.slice(Math.max(0, at - 12), at).reverse();
  find('ol').replaceChildren(...before.map((each) =>
    write('li', [each.text, each.effect].filter(Boolean).join(': '))));
}
function stop() {
  clearInterval(running);
  running = 0;
  play.textContent = 'Play';
}
function go(at) {
  slide.value = at;
  show(Number(slide.value));
}
slide.oninput = () => show(Number(slide.value));
back.onclick = () => go(Number(slide.value) - 1);
on.onclick = () => go(Number(slide.value) + 1);
find('#turn').onchange = () => go(find('#turn').value);
find('#fit').onchange = () => document.body.classList.toggle('fit', find('#fit').checked);
find('#speed').onchange = () => {
  if (running) { stop(); play.click(); }
};
play.onclick = () => {
  if (running) return stop();
  play.textContent = 'Stop';
  running = setInterval(() => {
    if (Number(slide.value) >= Number(slide.max)) return stop();
    go(Number(slide.value) + 1);
  }, Number(find('#speed').value));
};
show(0);
"""


def _centre(area_map: GameMap, name: str) -> list[float]:
    centre: list[float] = live_places(area_map)["hexes"][name]["centre"]
    return centre


def _stack(area_map: GameMap, area: str, lying: Sequence[Counter]) -> str:
    """Return the counters of one area as a part of an SVG."""
    if not lying:
        return ""
    frame = live_frame(area_map)
    draw_counters(area_map, frame, {area: lying}, SheetRoom())
    whole = frame.drawing.to_svg(sized=False)
    return "".join(whole.splitlines()[4:-1])


# -- the moving picture -----------------------------------------------------------------------


def gif(area_map: GameMap, frames: Sequence[FilmFrame], seconds: float) -> bytes:
    """Return the film as an animated GIF, each frame for so many ``seconds``."""
    ground, palette = _ground(area_map)
    images = [_picture(area_map, ground, palette, frame) for frame in frames]
    stream = BytesIO()
    images[0].save(
        stream, "GIF", save_all=True, append_images=images[1:], duration=round(seconds * 1000),
        loop=0, optimize=True, disposal=1,
    )  # fmt: skip
    return stream.getvalue()


def _ground(area_map: GameMap) -> tuple[Image.Image, dict[str, int]]:
    """The ground in few colours, with room for words below, and the numbers of our own colours."""
    drawn = Image.open(BytesIO(live_drawing(area_map).to_png(dpi=GIF_DPI))).convert("RGB")
    sheet = Image.new("RGB", (drawn.width, drawn.height + _FOOT), _PAINT["paper"])
    sheet.paste(drawn, (0, 0))
    few = sheet.quantize(_COLOURS, dither=Image.Dither.NONE)
    colours = cast("list[int]", few.getpalette())[: _COLOURS * 3]
    colours += [0] * (_COLOURS * 3 - len(colours))
    for colour in _PAINT.values():
        colours += colour
    few.putpalette(colours)
    return few, {name: _COLOURS + number for number, name in enumerate(_PAINT)}


def _picture(
    area_map: GameMap, ground: Image.Image, paint: dict[str, int], frame: FilmFrame
) -> Image.Image:
    image = ground.copy()
    draw = ImageDraw.Draw(image)
    small, words = ImageFont.load_default(8), ImageFont.load_default(11)
    event, lying = frame
    to = _centre(area_map, event.at) if event.came_from and event.at in area_map.areas else None
    for area, there in lying.items():
        if area not in area_map.areas:
            continue
        x, y = _centre(area_map, area)
        drawn = there if len(there) <= MAX_IN_FRAME else there[: MAX_IN_FRAME - 1]
        spots = _spots(x, y, min(len(there), MAX_IN_FRAME))
        if drawn is not there:
            left, top = spots[-1]
            draw.rectangle((left, top, left + 14, top + 12), fill=paint["paper"])
            draw.text((left + 1, top + 1), f"+{len(there) - len(drawn)}", paint["ink"], small)
        for counter, (left, top) in zip(drawn, spots, strict=False):
            draw.rectangle(
                (left, top, left + 14, top + 12), fill=paint[counter.side], outline=paint["ink"]
            )
            ink = paint["white"] if counter.side == "german" else paint["ink"]
            draw.text((left + 2, top + 1), _mark(counter), fill=ink, font=small)
            if counter.state == "wrecked" or "S" in counter.badges:
                draw.line((left, top, left + 14, top + 12), fill=paint["shot"], width=2)
    if to:
        for name in event.came_from:
            draw.line((*_centre(area_map, name), *to), fill=paint["shot"], width=3)
        box = (to[0] - 18, to[1] - 18, to[0] + 18, to[1] + 18)
        draw.ellipse(box, outline=paint["shot"], width=2)
    foot = image.height - _FOOT
    draw.rectangle((0, foot, image.width, image.height), fill=paint["paper"])
    draw.text((6, foot + 2), event.title, fill=paint["shot"], font=words)
    lines = foot_lines(event, partial(draw.textlength, font=words), image.width - 12)
    for number, line in enumerate(lines):
        draw.text((6, foot + 17 + 14 * number), line, fill=paint["ink"], font=words)
    return image


def _spots(x: float, y: float, many: int) -> list[tuple[float, float]]:
    """Where so many counters lie about the middle of an area: a row, two, or three in a row."""
    columns = min(many, 2 if many < 5 else 3)
    return [
        (x + (number % columns - columns / 2) * 15, y + (number // columns) * 13 - 7)
        for number in range(many)
    ]


def foot_lines(event: Event, measure: Callable[[str], float], width: float) -> list[str]:
    """Return two lines for the foot of a GIF: the dice, what happens, its effect.

    Where there is no room for all of it, words of what happens are left out, never what it does.
    """
    dice = f"[{' '.join(map(str, event.dice))}] " if event.dice else ""
    effect = f": {event.effect}" if event.effect else ""
    words = event.text.split(" ")
    lines = _broken(f"{dice}{event.text}{effect}", measure, width)
    while len(lines) > _LINES and words:
        words.pop()
        lines = _broken(f"{dice}{' '.join(words)} ...{effect}", measure, width)
    return lines


def _broken(text: str, measure: Callable[[str], float], width: float) -> list[str]:
    """Return a text in lines that are no wider, as far as its words allow."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and measure(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _mark(counter: Counter) -> str:
    """Return the mark of a small counter: its SP, or a letter for its kind."""
    if counter.symbol == "hidden":
        return "?"
    if counter.sp is not None and counter.symbol not in ("piat", "gammon"):
        return str(counter.sp)
    letters = {
        "leader": "L", "tank": "T", "mercedes": "M", "glider": "=", "mg": "m", "at_gun": "A",
        "piat": "P", "gammon": "G", "pow": "P", "bunker": "/", "prepared": "^", "bridge": "#",
    }  # fmt: skip
    return letters.get(counter.symbol, "")
