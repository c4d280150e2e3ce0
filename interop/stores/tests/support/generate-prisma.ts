import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import type { PrismaClient } from '../../../../packages/latchkey/src/adapters/prisma/index.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** A client that was generated at run time, as far as tests ask it themselves. */
export interface GeneratedClient extends PrismaClient {
  readonly [model: string]: unknown
  $executeRawUnsafe(statement: string): Promise<number>
  $disconnect(): Promise<void>
}

/** Makes clients of one schema. */
export interface GeneratedPrisma {
  /** @param database its address. */
  connect(database: string): GeneratedClient
  [Symbol.dispose](): void
}

/**
 * Generates a client, as `prisma generate` does, into a folder that is ignored and goes away again.
 *
 * @param models the part of `schema.prisma` that has the models.
 */
export async function generatePrisma(models: string): Promise<GeneratedPrisma> {
  const ignored = join(project, '.vitest')
  mkdirSync(ignored, { recursive: true })
  const directory = mkdtempSync(join(ignored, 'prisma-'))
  const schema = join(directory, 'schema.prisma')
  const engine = join(directory, 'schema-engine')
  // Generating needs no schema engine, but looks for one, which would have to be downloaded.
  writeFileSync(engine, '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(
    schema,
    `generator client {
  provider = "prisma-client"
  output   = "./client"
}

datasource db {
  provider = "postgresql"
}

${models}`,
  )
  const cli = join(project, 'node_modules/prisma/build/index.js')
  execFileSync(process.execPath, [cli, 'generate', '--schema', schema], {
    cwd: directory,
    stdio: 'pipe',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: engine,
      PRISMA_ENGINES_CHECKSUM_IGNORE_MISSING: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
  const { PrismaClient: Client } = (await import(join(directory, 'client/client.ts'))) as {
    PrismaClient: new (options: { adapter: PrismaPg }) => GeneratedClient
  }
  return {
    connect: (connectionString) => new Client({ adapter: new PrismaPg({ connectionString }) }),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  }
}
