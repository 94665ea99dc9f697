// The values that colours must cover: what the program expects, widened by all that was seen.
import { coloured, type Colouring } from './model';
import type { Past } from './past';
import { shotOf, type Hello } from './protocol';

export class Ranges {
  private known = new Map<Colouring, { low: number; high: number }>();

  constructor(
    private readonly past: Past,
    private readonly hello: () => Hello | null,
  ) {}

  clear(): void {
    this.known.clear();
  }

  of(colouring: Colouring): { low: number; high: number } {
    const known = this.known.get(colouring);
    if (known) return known;
    const hello = this.hello();
    const given = colouring === 'vertical velocity' ? hello?.colours.climb : hello?.colours[colouring as 'tension'];
    const range = given ? { low: given[0], high: given[1] } : { low: Infinity, high: -Infinity };
    this.known.set(colouring, range);
    for (const frame of this.past.some(60)) this.widen(shotOf(frame), colouring);
    return range;
  }

  /// True, if there was something beyond.
  widen(shot: ReturnType<typeof shotOf>, colouring: Colouring): boolean {
    const range = this.of(colouring);
    let { low, high } = range;
    shot.strands.forEach((strand, i) => {
      const cable = this.hello()?.cables[i];
      if (!cable) return;
      const { values, factor } = coloured(colouring, cable, strand);
      for (const raw of values) {
        const value = factor * raw;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    });
    if (low === range.low && high === range.high) return false;
    Object.assign(range, { low, high });
    return true;
  }
}
