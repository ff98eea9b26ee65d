// SPDX-License-Identifier: MIT
//
// A page made of views, one shown at a time, whose settings are the page's address. A view builds its elements once
// and shows its settings as often as they change; it changes them through `change` alone.
import { button, html } from './dom';
import { defaults, parse, write, type Fields, type Values } from './fields';

export interface Shown<F extends Fields> {
  element: HTMLElement;
  show(values: Values<F>): void;
  leave?(): void;
}

export type Change<F extends Fields> = (changed: Partial<Values<F>>) => void;

export interface View<F extends Fields = Fields> {
  name: string;
  title: string;
  fields: F;
  // Makes what the fields cannot rule out one by one possible, and says what it changed.
  settle?(values: Values<F>): { values: Values<F>; notes: string[] };
  build(change: Change<F>): Shown<F>;
}

// A view of any fields; the types inside are its own.
export function anyView<F extends Fields>(view: View<F>): View {
  return view as unknown as View;
}

interface Room {
  view: View;
  values: Values<Fields>;
  shown?: Shown<Fields>;
}

const millisecondsBetweenAddresses = 200;

export class Pages {
  private rooms: Room[];
  private open: Room | undefined;
  private timer = 0;
  private main = html('main', { id: 'main', tabindex: -1 });
  private notes = html('div', { class: 'notes', role: 'status' });
  private links: HTMLAnchorElement[];

  constructor(views: View[]) {
    this.rooms = views.map(view => ({ view, values: defaults(view.fields) }));
    this.links = this.rooms.map(room => html('a', { href: this.address(room) }, room.view.title));
    const list = html('ul', {}, ...this.links.map(link => html('li', {}, link)));
    document.body.append(
      html('a', { class: 'skip', href: '#main', click: event => this.skip(event) }, 'Skip to the content'),
      html(
        'header',
        {},
        html('p', { class: 'brand' }, 'Tilewright'),
        html('nav', { 'aria-label': 'Views' }, list),
      ),
      this.notes,
      this.main,
    );
    addEventListener('hashchange', () => this.go());
    this.go();
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.main.focus();
  }

  // Shows what the address says.
  private go(): void {
    clearTimeout(this.timer);
    const params = new URLSearchParams(location.hash.slice(1));
    const name = params.get('view');
    const found = this.rooms.find(({ view }) => view.name === name);
    const room = found ?? this.rooms[0];
    if (!room) return;
    const { values, notes } = parse(room.view.fields, params);
    if (name !== null && !found)
      notes.unshift(`view = “${name.slice(0, 24)}”: there is no such view; this one is shown`);
    this.enter(room);
    this.take(room, values, notes);
  }

  private enter(room: Room): void {
    if (this.open === room) return;
    this.open?.shown?.leave?.();
    this.open = room;
    room.shown ??= room.view.build(changed =>
      this.take(room, { ...room.values, ...(changed as Values<Fields>) }, []),
    );
    this.main.replaceChildren(room.shown.element);
    document.title = `${room.view.title} · Tilewright`;
    this.links.forEach((link, index) => {
      if (this.rooms[index] === room) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    });
  }

  private take(room: Room, values: Values<Fields>, notes: string[]): void {
    const settled = room.view.settle?.(values) ?? { values, notes: [] };
    room.values = settled.values;
    this.note([...notes, ...settled.notes]);
    room.shown?.show(room.values);
    // At once, so that a view that is left quickly comes back as it was.
    this.links[this.rooms.indexOf(room)]?.setAttribute('href', this.address(room));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.writeAddress(room), millisecondsBetweenAddresses);
  }

  private note(notes: string[]): void {
    const close = button('Close', () => this.notes.replaceChildren());
    this.notes.replaceChildren(...notes.map(text => html('p', {}, text)), ...(notes.length ? [close] : []));
  }

  private address({ view, values }: Room): string {
    const pairs = write(view.fields, values);
    if (view !== this.rooms[0]?.view) pairs.unshift(['view', view.name]);
    return `#${new URLSearchParams(pairs).toString()}`;
  }

  private writeAddress(room: Room): void {
    const address = this.address(room);
    if (location.hash !== address && !(address === '#' && location.hash === ''))
      history.replaceState(null, '', address);
  }
}
