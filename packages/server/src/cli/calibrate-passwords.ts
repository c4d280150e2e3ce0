import { calibrate } from 'latchkey/plugins/passwords/calibrate'

/** Measures this machine and prints the options for `passwords()`, and what they cost. */
export async function printCalibration(aim: { target: number; memory: number }): Promise<void> {
  const found = await calibrate({ ...aim, monotonic: () => performance.now() })
  const { hash, milliseconds, concurrency, together } = found
  console.log(`passwords({ hash: { memory: ${hash.memory}, passes: ${hash.passes} } })
`)
  console.log(
    `One hash takes ${Math.round(milliseconds)} ms and ${inMiB(hash.memory)}; ${concurrency} at once.`,
  )
  for (const { signIns, milliseconds: last, memory, refused } of together) {
    const busy = refused === 0 ? '' : `; ${refused} are refused as busy`
    const seconds = (last / 1000).toFixed(1)
    console.log(
      `${signIns} sign-ins at once: ${seconds} s until the last, ${inMiB(memory)}${busy}.`,
    )
  }
  if (found.isAboveTarget)
    console.log(
      `This machine is slow: these are the weakest options that are allowed, and take longer than ${aim.target} ms.`,
    )
}

function inMiB(kib: number): string {
  return `${Math.round(kib / 1024)} MiB`
}
