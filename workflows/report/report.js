// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the timeline: a lane for each worker, a bar for each task, in the colour of its node.
(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('spans').textContent);
  const canvas = document.getElementById('lanes'), said = document.getElementById('said');
  const legend = document.getElementById('legend');
  const LANE = 24, BAR = 18, AXIS = 26, LEAST = 10;  // px; us
  const full = Math.max(data.us, 1), FIELDS = 6;
  const busy = data.nodes.map(() => 0);
  let from = 0, to = full, chosen = -1, hovered = -1, drag = null, due = false;

  const colour = (node) => 'hsl(' + (210 + node * 137.508) % 360 + ' 60% 52%)';
  const lanesOf = () => {
    const by = data.lanes.map(() => []);
    for (let i = 0; i < data.spans.length; i += FIELDS) {
      by[data.spans[i]].push(i);
      busy[data.spans[i + 1]] += data.spans[i + 4];
    }
    return by;
  };
  const lanes = lanesOf();

  function duration(us) {
    if (us < 1e3) return us.toFixed(0) + ' \u00b5s';
    if (us < 1e6) return Number((us / 1e3).toPrecision(3)) + ' ms';
    return Number((us / 1e6).toPrecision(4)) + ' s';
  }

  const narrow = () => canvas.clientWidth < 600;
  const left = () => narrow() ? 64 : 120;
  const place = (us) => left() + (us - from) / (to - from) * (canvas.clientWidth - left());

  function ink(name) { return getComputedStyle(document.documentElement).getPropertyValue(name); }

  function drawAxis(g, width, height) {
    const rough = (to - from) / Math.max(2, (width - left()) / 110);
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map((n) => n * power).find((s) => s >= rough);
    g.textAlign = 'center';
    for (let k = Math.ceil(from / step); k * step <= to; k++) {
      const x = Math.round(place(k * step)) + 0.5;
      g.strokeStyle = ink('--line');
      g.beginPath();
      g.moveTo(x, AXIS - 6);
      g.lineTo(x, height);
      g.stroke();
      g.fillStyle = ink('--dim');
      if (x > left() + 16 && x < width - 22) g.fillText(duration(k * step), x, 12);
    }
  }

  function drawLane(g, spans, y) {
    const end = canvas.clientWidth;
    for (const i of spans) {
      const x0 = Math.max(place(data.spans[i + 3]), left());
      const x1 = Math.min(place(data.spans[i + 3] + data.spans[i + 4]), end);
      if (x1 < left() || x0 > end) continue;
      g.globalAlpha = chosen < 0 || chosen === data.spans[i + 1] ? 1 : 0.15;
      g.fillStyle = colour(data.spans[i + 1]);
      g.fillRect(x0, y, Math.max(x1 - x0 - (x1 - x0 > 3 ? 0.5 : 0), 0.7), BAR);
      if (i === hovered) {
        g.strokeStyle = ink('--ink');
        g.lineWidth = 2;
        g.strokeRect(x0, y, Math.max(x1 - x0, 2), BAR);
        g.lineWidth = 1;
      }
    }
    g.globalAlpha = 1;
  }

  function draw() {
    due = false;
    const width = canvas.clientWidth, height = AXIS + lanes.length * LANE;
    const ratio = window.devicePixelRatio || 1;
    canvas.style.height = height + 'px';
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const g = canvas.getContext('2d');
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    g.font = '12px system-ui, "DejaVu Sans", sans-serif';
    g.textBaseline = 'middle';
    drawAxis(g, width, height);
    lanes.forEach((spans, lane) => {
      const y = AXIS + lane * LANE + (LANE - BAR) / 2;
      drawLane(g, spans, y);
      g.textAlign = 'left';
      g.fillStyle = ink('--ink');
      g.fillText(data.lanes[lane], 0, y + BAR / 2, left() - 8);
    });
  }

  function redraw() {
    if (!due) requestAnimationFrame(draw);
    due = true;
  }

  function show(a, b) {
    const span = Math.min(Math.max(b - a, Math.min(LEAST, full)), full);
    from = Math.min(Math.max(a, 0), full - span);
    to = from + span;
    redraw();
  }

  function zoom(factor, at) {
    show(at - (at - from) * factor, at + (to - at) * factor);
  }

  const timeAt = (x) => from + (x - left()) / (canvas.clientWidth - left()) * (to - from);

  function spanAt(x, y) {
    const lane = Math.floor((y - AXIS) / LANE), t = timeAt(x);
    const slack = (to - from) / canvas.clientWidth;
    if (lane < 0 || lane >= lanes.length || x < left()) return -1;
    return lanes[lane].findLast((i) => data.spans[i + 3] - slack <= t
      && t <= data.spans[i + 3] + data.spans[i + 4] + slack) ?? -1;
  }

  function tell(i) {
    if (i === hovered) return;
    hovered = i;
    redraw();
    if (i < 0) {
      said.textContent = '';
      return;
    }
    const [lane, node, name, start, length, n] = data.spans.slice(i, i + FIELDS);
    said.textContent = '[' + data.nodes[node] + '] ' + (name < 0 ? 'tasks' : data.names[name])
      + (n > 1 ? ' (' + n + ')' : '') + ' on ' + data.lanes[lane] + ': ' + duration(length)
      + ' from ' + duration(start);
  }

  function act(what) {
    const step = (to - from) / 4, middle = (from + to) / 2;
    if (what === 'in') zoom(0.5, middle);
    else if (what === 'out') zoom(2, middle);
    else if (what === 'left') show(from - step, to - step);
    else if (what === 'right') show(from + step, to + step);
    else show(0, full);
  }

  document.querySelectorAll('#view [data-do]').forEach((button) => {
    button.addEventListener('click', () => act(button.dataset.do));
  });
  canvas.addEventListener('keydown', (event) => {
    const what = { '+': 'in', '=': 'in', '-': 'out', '0': 'all', ArrowLeft: 'left',
      ArrowRight: 'right' }[event.key];
    if (!what || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act(what);
  });
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 200), timeAt(event.offsetX));
  }, { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    drag = { x: event.offsetX, from: from, to: to };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (drag) {
      const move = (drag.x - event.offsetX) / (canvas.clientWidth - left()) * (drag.to - drag.from);
      show(drag.from + move, drag.to + move);
    } else {
      tell(spanAt(event.offsetX, event.offsetY));
    }
  });
  canvas.addEventListener('pointerup', (event) => {
    if (drag && Math.abs(drag.x - event.offsetX) < 3) tell(spanAt(event.offsetX, event.offsetY));
    drag = null;
  });
  canvas.addEventListener('pointercancel', () => { drag = null; });

  data.nodes.forEach((name, node) => {
    const item = document.createElement('li'), button = document.createElement('button');
    const mark = document.createElement('i');
    button.type = 'button';
    button.setAttribute('aria-pressed', 'false');
    mark.style.background = colour(node);
    button.append(mark, name + ' ' + duration(busy[node]));
    button.addEventListener('click', () => {
      chosen = chosen === node ? -1 : node;
      legend.querySelectorAll('button').forEach((other, i) => {
        other.setAttribute('aria-pressed', String(i === chosen));
      });
      redraw();
    });
    item.append(button);
    legend.append(item);
  });

  document.getElementById('view').hidden = false;
  window.addEventListener('resize', redraw);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  draw();
}());
