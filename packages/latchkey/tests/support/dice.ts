export interface Dice {
  chance(likely: number): boolean
  upTo(end: number): number
  one<Item>(items: readonly Item[]): Item
}

/** Repeats for a seed. */
export function dice(seed: number): Dice {
  let state = seed
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (likely: number): boolean => draw() < likely,
    upTo: (end: number): number => draw() * end,
    one: <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)] as Item,
  }
}
