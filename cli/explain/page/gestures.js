// Pointers, wheel and keys on a view: drag turns (3D) or moves (2D, or with shift), wheel and pinch zoom, a double
// click begins anew.

let wheelElsewhere = -1e9; // when the page was last scrolled from outside a view: what goes on is no zooming
addEventListener("wheel", event => {
  if (!(event.target instanceof HTMLCanvasElement)) wheelElsewhere = event.timeStamp;
}, { passive: true });

class Gestures {
  constructor(view) {
    this.view = view;
    this.down = new Map();
    const canvas = view.canvas;
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave", "keydown"]) {
      canvas.addEventListener(type, event => this[type](event));
    }
    canvas.addEventListener("wheel", event => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", () => view.reset());
    canvas.addEventListener("contextmenu", event => event.preventDefault());
  }

  place(event) {
    const { canvas } = this.view, box = canvas.getBoundingClientRect();
    return [event.clientX - box.left - canvas.clientLeft, event.clientY - box.top - canvas.clientTop];
  }

  pointerdown(event) {
    this.view.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, this.place(event));
    this.pick(event);
  }

  pick(event) {
    const [x, y] = this.place(event), found = this.view.nearest(x, y, event.pointerType === "touch" ? 30 : 15);
    if (this.view.picked) this.view.picked(found);
  }

  pointermove(event) {
    const before = this.down.get(event.pointerId), now = this.place(event);
    if (!before) return this.pick(event);
    this.down.set(event.pointerId, now);
    const step = [now[0] - before[0], now[1] - before[1]];
    if (this.down.size === 2) return this.pinch(event.pointerId, before, now);
    const turns = this.view.dim === 3 && !event.shiftKey && !(event.buttons & 2);
    this.view[turns ? "rotate" : "move"](...step);
  }

  // One of two fingers has moved.
  pinch(id, before, now) {
    const [other] = [...this.down].filter(([key]) => key !== id).map(([, place]) => place);
    const distance = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    this.view.move((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.view.zoomBy(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  pointerup(event) {
    this.down.delete(event.pointerId);
  }

  pointercancel(event) {
    this.down.delete(event.pointerId);
  }

  pointerleave(event) {
    if (event.pointerType !== "touch" && this.view.picked) this.view.picked(-1);
  }

  wheel(event) {
    if (event.timeStamp - wheelElsewhere < 300) {
      wheelElsewhere = event.timeStamp;
      return;
    }
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 24 : 1;
    this.view.zoomBy(Math.exp(-Math.max(-100, Math.min(100, event.deltaY * lines)) * 0.004), ...this.place(event));
  }

  keydown(event) {
    const arrows = { ArrowLeft: [-24, 0], ArrowRight: [24, 0], ArrowUp: [0, -24], ArrowDown: [0, 24] };
    if (event.shiftKey && arrows[event.key]) this.view[this.view.dim === 3 ? "rotate" : "move"](...arrows[event.key]);
    else if (event.key === "+" || event.key === "=") this.view.zoomBy(1.4);
    else if (event.key === "-") this.view.zoomBy(1 / 1.4);
    else if (event.key === "0") this.view.reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
