// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// One stream of events for all pages. The browser itself comes back after a broken connection, with the last id it saw.
import { byId } from './kit.js';

const listeners = new Set();
const LONGEST_WAIT = 3000;
let source = null;
let lost = false;
let begun;
const beginning = new Promise((resolve) => { begun = resolve; });

function say(text, isLost) {
  const live = byId('live');
  if (live.textContent !== text) live.textContent = text;
  live.className = isLost ? 'lost' : '';
}

function open() {
  source = new EventSource('/api/v1/events');
  source.onopen = () => {
    say('live', false);
    // what happened meanwhile comes by the events themselves; after a long time away the pages look anew
    if (lost) listeners.forEach((listener) => listener.again?.());
    lost = false;
    begun();
  };
  source.onerror = () => {
    lost = true;
    begun();
    say('connection lost, trying again', true);
    // a stream that the gateway refused is closed for good by the browser
    if (source.readyState === EventSource.CLOSED) setTimeout(open, 5000);
  };
  source.addEventListener('change', (event) => {
    const change = JSON.parse(event.data);
    listeners.forEach((listener) => listener.change?.(change));
  });
}

/**
 * Over when changes are told from now on, so that what a page reads then has no gap before them. Where the stream cannot be had soon the page
 * reads all the same, and is told to look anew once there is one.
 */
export const followed = () => beginning;

/** Tells a page of changes until the function that this answers is called. */
export function listen(listener) {
  if (source === null) {
    open();
    setTimeout(() => {
      if (source.readyState !== EventSource.OPEN) lost = true;
      begun();
    }, LONGEST_WAIT);
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}
