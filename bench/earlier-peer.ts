/**
 * With it, `@auth/core` is the library of the earlier build in the folder `BENCH_BEFORE`, so that each row compares two versions:
 *
 *     npm run bench -- --before 5385a14
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.env['BENCH_BEFORE']
if (folder === undefined) throw new Error('BENCH_BEFORE names no folder')
// A package finds its own exports by its name.
const parentURL = pathToFileURL(join(folder, 'packages/latchkey/package.json')).href

registerHooks({
  resolve(specifier, context, next) {
    if (!/^@auth\/core(\/|$)/.test(specifier)) return next(specifier, context)
    return next(specifier.replace('@auth/core', 'latchkey'), { ...context, parentURL })
  },
})
