import type { Awaitable } from './awaitable.ts'

/** Waits for work, and throws if it takes longer. */
export async function inTime<T>(work: Awaitable<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const why = new Error(`it took longer than ${milliseconds / 1000} seconds`)
    timer = setTimeout(() => reject(why), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
