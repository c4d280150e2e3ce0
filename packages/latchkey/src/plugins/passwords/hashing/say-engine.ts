import type { Host } from '../../../entries/plugin.ts'
import type { HashEngine, PasswordHasher } from './hasher.ts'

/** What this process has said of its engine: each configuration of a process has the same one. */
const said = new Set<string>()

/** Logs once for each process what hashes passwords, and what is missing. */
export async function sayEngine(hasher: PasswordHasher, logger: Host['logger']): Promise<void> {
  const { name, algorithm } = await hasher.engine()
  const once = (line: string, log: () => void): void => {
    if (said.has(line)) return
    said.add(line)
    log()
  }
  const line = `passwords are hashed with ${algorithm} (${ENGINES[name]})`
  once(line, () => logger.debug(line))
  for (const lack of await hasher.lacks()) once(lack, () => logger.warn('password-hashing', lack))
}

const ENGINES: Readonly<Record<HashEngine['name'], string>> = {
  node: 'node:crypto',
  'node-rs': '@node-rs/argon2',
  scrypt: 'node:crypto',
}
