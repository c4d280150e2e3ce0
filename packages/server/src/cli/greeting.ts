import { styleText } from 'node:util'
import type { RunningService } from '../serve.ts'
import type { Settings } from '../settings.ts'

/**
 * Returns the text that the service prints at its start in development: the address, what to try, and where the data
 * is.
 */
export function greeting({ address, where, demo }: RunningService, settings: Settings): string {
  const { basePath, smtp } = settings
  const lines = [
    '',
    `  ${styleText('bold', 'Latchkey')} is running at ${styleText('bold', demo ? address : `${address}${basePath}/signin`)}`,
    '',
  ]
  if (demo) {
    const { account, passkeys } = demo
    const { name, password } = account
    const mail = smtp === undefined ? `then open ${address}/mailbox` : 'the link comes by mail'
    lines.push(
      `  ${passkeys ? 'Four' : 'Three'} ways to sign in at ${address}${basePath}/signin`,
      `    Demo account         email ${styleText('bold', name)}, password ${styleText('bold', password)}`,
      `    Email                any address, such as you@example.test; ${mail}`,
      '    Development account  an OpenID provider of its own; be alice, or any other name',
      ...(passkeys ? ['    Passkey              of this device, for any address'] : []),
      '',
    )
  }
  lines.push(
    `  Data   ${where}`,
    ...(demo ? ['  Mode   development: the demo is for trying out, never for the internet'] : []),
    '  Stop   Ctrl+C',
    '',
    '',
  )
  return lines.join('\n')
}
