import { describe, test } from 'vitest'
import {
  type DescribeAdapterOptions,
  describeAdapter as describeWith,
  type OpenAdapter,
} from '../../src/testing/adapter/index.ts'

/** The published contract of adapters, in this project's test runner. */
export function describeAdapter(
  name: string,
  open: OpenAdapter,
  options?: DescribeAdapterOptions,
): void {
  describeWith(name, open, { describe, test }, options)
}
