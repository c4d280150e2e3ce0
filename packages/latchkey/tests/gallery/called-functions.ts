/**
 * Opens every state of the gallery and prints the functions of the sources that were called, as JSON:
 * `latchkey/src/pages/error.ts errorPage`.
 *
 * A process of its own, since counting calls disturbs the coverage of tests.
 */
import { Session } from 'node:inspector/promises'
import { states } from './states.ts'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
for (const { open } of states) await open({ lang: 'en' })
const { result } = await session.post('Profiler.takePreciseCoverage')
const called = result.flatMap(({ url, functions }) => {
  const module = /\/packages\/(\w+\/src\/.*)/.exec(url)?.[1]
  return module === undefined
    ? []
    : functions
        .filter(({ ranges }) => ranges[0]?.count)
        .map(({ functionName }) => `${module} ${functionName}`)
})
process.stdout.write(JSON.stringify(called))
