import { describe, test } from 'vitest'
import type { Adapter } from '../../src/model/adapter.ts'
import {
  type DescribeAdapterOptions,
  describeAdapter as describeWith,
  type OpenAdapter,
  type OpenedAdapter,
} from '../../src/testing/adapter/index.ts'

/** The published contract of adapters, in this project's test runner. */
export function describeAdapter(
  name: string,
  open: OpenAdapter,
  options?: DescribeAdapterOptions,
): void {
  describeWith(name, open, { describe, test }, options)
}

/** Adapters side by side on one store, as two processes have, or two configurations in one. */
export async function sideBySide(create: (index: number) => Adapter): Promise<OpenedAdapter> {
  let count = 0
  return { ...create(count), again: async () => create(++count) }
}
