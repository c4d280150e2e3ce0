import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const examples = fileURLToPath(new URL('..', import.meta.url))

/** The examples for an older version of a framework, and the parts of the application that they have from another. */
const copied: Readonly<
  Record<string, { readonly from: string; readonly parts: readonly string[] }>
> = {
  'next-15': { from: 'next', parts: ['app', 'auth.ts', 'next.config.ts', 'tsconfig.json'] },
  'solid-start-1': { from: 'solid-start', parts: ['src'] },
}

/** Copies the parts of an example that are those of another. */
export function copyParts(name: string): void {
  const { from = '', parts = [] } = copied[name] ?? {}
  for (const part of parts)
    cpSync(`${examples}${from}/${part}`, `${examples}${name}/${part}`, { recursive: true })
}
