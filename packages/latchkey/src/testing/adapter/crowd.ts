import { isAdapterConflict } from '../../model/adapter.ts'
import { expect } from './expect.ts'

/** The number of concurrent calls. */
export const CROWD = 50

/** Starts many calls at once, and returns their results and errors. */
export async function crowd<Result>(
  call: (index: number) => Result,
  size: number = CROWD,
): Promise<{ won: Awaited<Result>[]; lost: unknown[] }> {
  const calls = Array.from({ length: size }, async (_, index) => call(index))
  const settled = await Promise.allSettled(calls)
  return {
    won: settled.filter((one) => one.status === 'fulfilled').map(({ value }) => value),
    lost: settled.filter((one) => one.status === 'rejected').map(({ reason }) => reason),
  }
}

export async function failure(call: () => unknown): Promise<unknown> {
  const { lost } = await crowd(call, 1)
  expect(lost, 'the call fails').toHaveLength(1)
  return lost[0]
}

export function expectConflict(error: unknown, kind: string): void {
  if (!isAdapterConflict(error)) {
    throw new Error('expected an AdapterConflict', { cause: error })
  }
  expect(error.conflict).toBe(kind)
  // A log may receive it.
  expect(error.message.includes('x.example'), 'whether the conflict names the value').toBe(false)
}

export async function expectConflictOf(call: () => unknown, kind: string): Promise<void> {
  expectConflict(await failure(call), kind)
}
