import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of tests that take longest, the longest first. On a fresh clone Vitest knows only their sizes, and a small
 * file that starts many processes would be the last, with one processor idle.
 */
export const longest: readonly string[] = [
  'packages/server/tests/crashes.test.ts',
  'packages/server/tests/databases.test.ts',
  'packages/latchkey/tests/browser/gallery.test.ts',
  'packages/latchkey/tests/peers/sql/layouts.test.ts',
  'site/tests/site.test.ts',
  'packages/latchkey/src/adapters/dynamodb/dynamodb.test.ts',
  'packages/latchkey/src/adapters/drizzle/drizzle.test.ts',
  'packages/server/tests/doctor.test.ts',
  'examples/tests/next.test.ts',
  'interop/auth-js/tests/adapters.test.ts',
  'packages/latchkey/tests/peers/sql/d1.test.ts',
  'interop/auth-js/tests/same-tables.test.ts',
  'examples/tests/solid-start.test.ts',
  'examples/tests/sveltekit.test.ts',
  'interop/stores/tests/prisma.test.ts',
  'interop/stores/tests/surrealdb.test.ts',
  'packages/server/tests/browser/sign-in.test.ts',
  'packages/server/tests/browser/sessions.test.ts',
  'packages/server/tests/browser/connections.test.ts',
  'packages/latchkey/tests/package/peers.test.ts',
  'packages/latchkey/tests/package/package.test.ts',
  'packages/latchkey/tests/package/declarations.test.ts',
  'packages/latchkey/tests/package/moved.test.ts',
  'packages/latchkey/tests/package/types.test.ts',
  'packages/latchkey/tests/model/walk.test.ts',
  'packages/latchkey/tests/model/revocation/revocation.test.ts',
  'packages/server/tests/instances.test.ts',
  'packages/server/tests/lifecycle.test.ts',
  'packages/server/tests/cli.test.ts',
  'packages/server/tests/move-tokens.test.ts',
  'packages/server/tests/sealed-sessions.test.ts',
  'packages/latchkey/tests/peers/revocation-processes.test.ts',
  'packages/latchkey/tests/peers/sql/embedded.test.ts',
  'packages/latchkey/tests/peers/sql/postgres.test.ts',
  'packages/latchkey/tests/attacks/redirects.test.ts',
  'packages/latchkey/tests/attacks/faults.test.ts',
  'interop/qwik/tests/migration.test.ts',
  'interop/auth-js/tests/fleet.test.ts',
]

/** Runs the longest files first, and all others in the order of Vitest. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longest.indexOf(relative(root, moduleId).replaceAll(sep, '/'))
      return rank === -1 ? longest.length : rank
    }
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
