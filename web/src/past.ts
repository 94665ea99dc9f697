// The frames of the recent past, within a bound of memory. When it is full, the older half is thinned out; what is thin
// already is forgotten.
import type { Frame } from './protocol';

const sparse = 0.1; // [s] between frames that are not thinned further

export class Past {
  private frames: Frame[] = [];
  bytes = 0;

  constructor(private readonly most: number) {}

  get count(): number {
    return this.frames.length;
  }

  get first(): number {
    return this.frames[0]?.time ?? 0;
  }

  get last(): Frame | undefined {
    return this.frames[this.frames.length - 1];
  }

  clear(): void {
    this.frames = [];
    this.bytes = 0;
  }

  add(frame: Frame): void {
    while (this.last && this.last.time >= frame.time) this.bytes -= this.frames.pop()!.data.byteLength;
    this.frames.push(frame);
    this.bytes += frame.data.byteLength;
    if (this.bytes > this.most) this.thin();
  }

  private thin(): void {
    const half = this.frames.length >> 1;
    const spacing = (this.frames[half]!.time - this.first) / Math.max(1, half);
    const dense = spacing < sparse;
    this.frames = this.frames.filter((_, i) => i >= half || (dense ? i % 2 === 0 : i >= half / 2));
    this.bytes = this.frames.reduce((sum, frame) => sum + frame.data.byteLength, 0);
  }

  /// The frame at a time or the one before it.
  at(t: number): Frame | undefined {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle]!.time <= t) low = middle;
      else high = middle - 1;
    }
    return this.frames[low];
  }

  /// Up to `count` of them, evenly distributed.
  some(count: number): Frame[] {
    const step = Math.max(1, Math.floor(this.frames.length / count));
    return this.frames.filter((_, i) => i % step === 0);
  }
}
