// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// Curves over time as plain SVG.
import { h } from './kit.js';

const WIDTH = 600;
const HEIGHT = 150;
const LEFT = 48;
const BOTTOM = 20;
const TOP = 8;

function s(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** The least of 1, 2, 5 times a power of ten that is not below. */
function ceiling(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
}

const shown = (value) => (value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString() : value.toPrecision(2));

/** A figure with its curves: each has a name, and a value for each point. */
export function plot(title, unit, points, curves) {
  const newest = (curve) => (points.length ? shown(curve.of(points.at(-1))) : '–');
  const words = curves.map((curve) => `${curve.name} ${newest(curve)}`).join(', ');
  const most = ceiling(Math.max(0, ...points.flatMap((point) => curves.map((curve) => curve.of(point)))));
  const first = points.length ? Date.parse(points[0].at) : 0;
  const last = points.length ? Date.parse(points.at(-1).at) : 1;
  const x = (point) => LEFT + ((Date.parse(point.at) - first) / Math.max(1, last - first)) * (WIDTH - LEFT - 4);
  const y = (value) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
  const lines = [0, 0.5, 1].map((part) => s('g', {},
    s('line', { class: 'rule', x1: LEFT, x2: WIDTH - 4, y1: y(part * most), y2: y(part * most) }),
    s('text', { x: LEFT - 6, y: y(part * most) + 4, 'text-anchor': 'end' }, shown(part * most))));
  const times = points.length < 2 ? [] : [
    s('text', { x: LEFT, y: HEIGHT - 4 }, new Date(first).toLocaleTimeString()),
    s('text', { x: WIDTH - 4, y: HEIGHT - 4, 'text-anchor': 'end' }, new Date(last).toLocaleTimeString())];
  const paths = points.length < 2 ? [] : curves.map((curve, i) =>
    s('polyline', { class: `curve c${i}`, points: points.map((point) => `${x(point).toFixed(1)},${y(curve.of(point)).toFixed(1)}`).join(' ') }));
  const picture = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title}, ${unit}: ${words}` }, ...lines, ...times, ...paths);
  return h('figure', { class: 'plot' },
    h('figcaption', {}, `${title}, ${unit}: `, ...curves.map((curve, i) => h('span', { class: `key c${i}` }, `${curve.name} ${newest(curve)} `))),
    picture);
}
