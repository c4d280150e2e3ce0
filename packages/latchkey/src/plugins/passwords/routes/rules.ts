import type { Answer, Call } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'

/** `GET password/rules`: what a form of the application must know. */
export async function rules(_call: Call, { host, settings }: Own): Promise<Answer> {
  const { minLength, maxLength } = settings.rules
  return {
    json: {
      minLength,
      maxLength,
      signUp: settings.signUp !== false,
      usernames: host.userNames() !== undefined,
      breached: 'breached' in settings.rules && settings.rules.breached !== undefined,
    },
    headers: { 'cache-control': 'private, max-age=300' },
  }
}
