// Made by tools/marks.ts out of Simple Icons, CC0. Do not change it here.

/** Vercel. */
export const mark: string = 'm12 1.608 12 20.784H0Z'
