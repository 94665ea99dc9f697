// A server that speaks the live protocol (docs/theory/live.md) without the program: a toy crane, for fast tests of the
// page. A load hangs by a rope from a trolley that an input drives; beside it hangs a chain.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { WebSocketServer } = require('ws');

const step = 0.005; // [s]
const links = 13;
const channels = ['load.position.x', 'load.position.z', 'load.velocity.x', 'trolley.position.x', 'input.trolley_speed'];

class Toy {
  constructor() {
    this.reset();
  }

  reset() {
    Object.assign(this, { t: 0, steps: 0, trolley: 0, speed: 0, setting: 0, length: 6, cutAt: -1, pull: null, force: [0, 0, 0] });
    this.load = [0, 0, 4];
    this.v = [0, 0, 0];
    this.chain = Array.from({ length: links }, (_, i) => [5 + 0.3 * i, 0, 10]);
    this.before = this.chain.map((p) => [...p]);
  }

  advance() {
    this.speed += (this.setting - this.speed) * Math.min(1, step / 0.1);
    this.trolley = Math.max(-4, Math.min(4, this.trolley + step * this.speed));
    const top = [this.trolley, 0, 10];
    const d = this.load.map((x, k) => x - top[k]);
    const distance = Math.hypot(...d);
    this.tension = Math.max(0, 4e4 * (distance - this.length) + 400 * (d.reduce((s, x, k) => s + x * this.v[k], 0) / distance));
    this.force = this.pull ? this.pull.target.map((x, k) => 2000 * (x - this.load[k])) : [0, 0, 0];
    for (let k = 0; k < 3; ++k) {
      const a = (-this.tension * (d[k] / distance) + this.force[k]) / 500 - (k === 2 ? 9.81 : 0) - 0.02 * this.v[k];
      this.v[k] += step * a;
    }
    for (let k = 0; k < 3; ++k) this.load[k] += step * this.v[k];
    this.swing();
    ++this.steps;
    this.t = this.steps * step;
  }

  /// The chain: positions with a memory, kept at their distances.
  swing() {
    this.chain.forEach((p, i) => {
      if (i === 0) return;
      for (let k = 0; k < 3; ++k) {
        const next = p[k] + 0.999 * (p[k] - this.before[i][k]) - (k === 2 ? 9.81 * step * step : 0);
        this.before[i][k] = p[k];
        p[k] = next;
      }
    });
    for (let pass = 0; pass < 20; ++pass)
      for (let i = 0; i + 1 < links; ++i) {
        if (i === this.cutAt) continue;
        const [a, b] = [this.chain[i], this.chain[i + 1]];
        const d = b.map((x, k) => x - a[k]);
        const off = (Math.hypot(...d) - 0.3) / Math.hypot(...d);
        for (let k = 0; k < 3; ++k) {
          a[k] += i === 0 ? 0 : 0.5 * off * d[k];
          b[k] -= (i === 0 ? 1 : 0.5) * off * d[k];
        }
      }
  }

  channel(name) {
    return { 'load.position.x': this.load[0], 'load.position.z': this.load[2], 'load.velocity.x': this.v[0], 'trolley.position.x': this.trolley }[name] ?? this.speed;
  }

  numbers(wanted) {
    const rope = Array.from({ length: 5 }, (_, i) => [0, 1, 2].map((k) => [this.trolley, 0, 10][k] * (1 - i / 4) + (this.load[k] + (k === 2 ? 0.5 : 0)) * (i / 4)));
    const field = (n, value) => Array.from({ length: n }, (_, i) => (typeof value === 'function' ? value(i) : value));
    const cable = (points, tension, speed) => [
      ...points.flat(), ...field(points.length, tension), ...field(points.length, (i) => (typeof tension === 'function' ? tension(i) : tension) / 1e6),
      ...field(points.length, 0.01), ...field(points.length, speed), ...field(points.length, -speed),
    ];
    return [
      ...cable(rope, this.tension, Math.hypot(...this.v)), ...cable(this.chain, (i) => 90 * (links - i), 0.1),
      this.trolley, 0, 10.2, 1, 0, 0, 0, ...this.load, 1, 0, 0, 0, 5, 0, 10,
      ...(this.pull ? this.load : [0, 0, 0]), ...this.force, ...wanted.map((name) => this.channel(name)),
    ];
  }
}

export class Mock {
  constructor(script) {
    this.toy = new Toy();
    this.layout = 1;
    this.paused = false;
    this.rate = 1;
    this.pages = new Map(); // socket -> channels
    this.received = [];
    this.problems = [];
    this.slow = false;
    this.mass = '500 kg';
    this.http = createServer((request, response) => {
      const js = request.url.startsWith('/live.js');
      response.setHeader('Content-Type', js ? 'text/javascript' : 'text/html; charset=utf-8');
      response.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'");
      if (request.url.startsWith('/favicon')) response.writeHead(204);
      response.end(js ? script : '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Hawser</title></head><body><script src="/live.js?token=t"></script></body></html>');
    });
    this.sockets = new WebSocketServer({ server: this.http });
    this.sockets.on('connection', (socket) => this.welcome(socket));
  }

  async start() {
    await new Promise((done) => this.http.listen(0, '127.0.0.1', done));
    this.last = performance.now();
    this.timer = setInterval(() => this.tick(), 16);
    this.statusTimer = setInterval(() => this.broadcast(this.status()), 250);
    return `http://127.0.0.1:${this.http.address().port}/?token=t`;
  }

  stop() {
    clearInterval(this.timer);
    clearInterval(this.statusTimer);
    this.drop();
    this.sockets.close();
    this.http.close();
  }

  drop() {
    for (const socket of this.pages.keys()) socket.terminate();
  }

  welcome(socket) {
    this.pages.set(socket, { id: 0, names: [], seen: 0 });
    socket.on('close', () => this.pages.delete(socket));
    socket.on('message', (text) => this.message(socket, JSON.parse(text)));
    for (const message of [this.hello('open'), this.status()]) socket.send(JSON.stringify(message));
    if (this.problems.length) socket.send(JSON.stringify({ type: 'problem', problems: this.problems }));
    this.frame(0);
  }

  broadcast(message) {
    for (const socket of this.pages.keys()) socket.send(JSON.stringify(message));
  }

  report(problems) {
    this.problems = problems;
    this.broadcast({ type: 'problem', problems });
  }

  renew(reason) {
    ++this.layout;
    this.broadcast(this.hello(reason));
    this.broadcast(this.status());
    this.frame(reason === 'cut' ? 0 : 4);
  }

  message(socket, m) {
    if (m.type === 'seen') return (this.pages.get(socket).seen = m.frame);
    this.received.push(m);
    if (m.type === 'play' || m.type === 'pause') this.paused = m.type === 'pause';
    else if (m.type === 'step') {
      this.paused = true;
      for (let i = 0; i < m.steps; ++i) this.toy.advance();
    } else if (m.type === 'reset') {
      this.toy.reset();
      return this.renew('reset');
    } else if (m.type === 'speed') this.rate = m.value;
    else if (m.type === 'input') this.toy.setting = Math.max(-2, Math.min(2, m.value));
    else if (m.type === 'subscribe') {
      const names = m.channels.filter((name) => channels.includes(name));
      Object.assign(this.pages.get(socket), { id: m.id, names });
      socket.send(JSON.stringify({ type: 'subscribed', id: m.id, columns: names.map((name) => ({ name, unit: 'm' })) }));
    } else if (m.type === 'pull') this.toy.pull = m;
    else if (m.type === 'release') this.toy.pull = null;
    else if (m.type === 'cut') {
      if (m.cable !== 'chain') return socket.send(JSON.stringify({ type: 'refused', request: 'cut', message: `cable '${m.cable}' cannot be cut` }));
      this.toy.cutAt = Math.max(1, Math.min(links - 2, Math.round(m.s / 0.3)));
      return this.renew('cut');
    } else if (m.type === 'edit') {
      this.mass = m.value;
      this.broadcast({ type: 'edited', path: m.path, value: m.value });
      this.toy.reset();
      return this.renew('reload');
    }
    this.broadcast(this.status());
    if (this.paused) this.frame(0);
  }

  tick() {
    const now = performance.now();
    const wanted = Math.min(40, Math.floor(((now - this.last) / 1000 / step) * this.rate));
    if (this.paused) this.last = now;
    if (this.paused || wanted < 1) return;
    this.last = now;
    for (let i = 0; i < wanted; ++i) this.toy.advance();
    this.frame(0);
  }

  frame(flags) {
    this.number = (this.number ?? 0) + 1;
    for (const [socket, { id, names }] of this.pages) {
      if (socket.bufferedAmount > 1e6) continue;
      const numbers = Float32Array.from(this.toy.numbers(names));
      const data = new DataView(new ArrayBuffer(24 + 4 * numbers.length));
      data.setUint32(0, this.layout, true);
      data.setUint32(4, this.number, true);
      data.setFloat64(8, this.toy.t, true);
      data.setUint32(16, (this.paused ? 1 : 0) | (this.toy.pull ? 2 : 0) | flags, true);
      data.setUint32(20, id, true);
      numbers.forEach((x, i) => data.setFloat32(24 + 4 * i, x, true));
      socket.send(data.buffer);
    }
  }

  hello(reason) {
    const { cutAt } = this.toy;
    const cable = { diameter: 0.05, breaking_load: 8000 };
    return {
      type: 'hello', protocol: 1, version: 'mock', layout: this.layout, reason, title: 'A toy crane', description: 'For tests.', file: '/tmp/toy.yaml',
      editable: true, scene: `title: A toy crane\nbodies:\n  load: {mass: ${this.mass}}\n`, step, until: 10, gravity: [0, 0, -9.81], up: [0, 0, 1], solve: 'toy',
      low: [-4, -1, 0], high: [9, 1, 10.5],
      cables: [
        { ...cable, name: 'rope', model: 'massless', length: 6, points: 5, s: [0, 1.5, 3, 4.5, 6], breaks: [], can_cut: true, can_pull: false },
        { ...cable, name: 'chain', model: 'np-fem', length: 3.6, points: links, s: Array.from({ length: links }, (_, i) => 0.3 * i), breaks: cutAt < 0 ? [] : [cutAt], can_cut: true, can_pull: true },
      ],
      bodies: [{ name: 'trolley', shape: 'box', size: [1.2, 0.8, 0.4], mass: 100 }, { name: 'load', shape: 'box', size: [1, 1, 1], mass: 500 }],
      supports: [{ name: 'hook', position: [5, 0, 10] }],
      joints: [{ name: 'rail', kind: 'slider', body: '', position: [0, 0, 10.2], axis: [1, 0, 0], first: 'hook', second: 'trolley' }],
      pulleys: [], winches: [{ cable: 'rope', name: 'rope', body: 'trolley', position: [0, 0, 0], axis: [0, 1, 0], radius: 0, width: 0 }], ground: { height: 0, normal: [0, 0, 1] },
      inputs: [
        { name: 'trolley_speed', unit: 'm/s', from: -2, to: 2, value: 0, smoothing: 0.1, rate: true, feedback: false },
        { name: 'wind', unit: 'N', from: 0, to: 500, value: 0, smoothing: 0.5, rate: false, feedback: false },
      ],
      channels: channels.map((name) => ({ name, unit: /velocity|speed/.test(name) ? 'm/s' : 'm' })), plots: ['load.position.x', 'load.position.z', 'load.velocity.x'],
      fields: [{ path: 'bodies.load.mass', value: this.mass, line: 3 }],
      diagram: {
        nodes: [
          { id: 'support/hook', kind: 'support', name: 'hook', path: 'supports.hook' }, { id: 'body/trolley', kind: 'body', name: 'trolley', path: 'bodies.trolley' },
          { id: 'body/load', kind: 'body', name: 'load', path: 'bodies.load' }, { id: 'joint/rail', kind: 'joint', name: 'rail', path: 'joints.rail' },
          { id: 'winch/rope', kind: 'winch', name: 'rope' }, { id: 'point/chain/1', kind: 'point', name: 'end of chain' },
        ],
        lines: [
          { id: 'joint/rail', kind: 'joint', name: 'rail', nodes: ['support/hook', 'joint/rail', 'body/trolley'] },
          { id: 'carries/1', kind: 'carries', name: '', nodes: ['body/trolley', 'winch/rope'] },
          { id: 'cable/rope', kind: 'cable', name: 'rope', path: 'cables.rope', nodes: ['winch/rope', 'body/load'] },
          { id: 'cable/chain', kind: 'cable', name: 'chain', path: 'cables.chain', nodes: ['support/hook', 'point/chain/1'] },
        ],
      },
      colours: { tension: [0, 5000], strain: [0, 0.01], curvature: [0, 1], speed: [0, 1], climb: [-1, 1] },
    };
  }

  status() {
    const { t, steps, setting, speed, tension = 0, pull, force } = this.toy;
    return {
      type: 'status', t, steps, paused: this.paused, speed: this.rate, real_time_factor: this.paused ? 0 : this.slow ? 0.41 : 1, step_time: this.slow ? 0.012 : 0.0004,
      keeps_up: !this.slow, energy: { kinetic: 10, potential: 20000, elastic: 30, work: 0, total: 20040, balance: 0 },
      tension: { value: tension, cable: 'rope', s: 0, utilisation: tension / 8000 }, utilisation: { value: tension / 8000, cable: 'rope', s: 0 },
      inputs: [{ name: 'trolley_speed', setting, value: speed }, { name: 'wind', setting: 0, value: 0 }],
      pull: pull && { body: 'load', force, magnitude: Math.hypot(...force) }, pages: this.pages.size, failure: null, warnings: [], log: null,
    };
  }
}
