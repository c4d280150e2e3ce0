import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeExample } from '../scenario.ts'

const examples = fileURLToPath(new URL('../..', import.meta.url))

// The application of Next.js 16, but for the file that protects its pages.
for (const part of ['app', 'auth.ts', 'next.config.ts', 'tsconfig.json']) {
  cpSync(`${examples}/next/${part}`, `${examples}/next-15/${part}`, { recursive: true })
}

describeExample('next-15')
