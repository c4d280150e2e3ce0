import type { Message } from '../../src/base/texts/catalogue.ts'
import { en, mails, passkeys, problemTexts } from '../../src/base/texts/en.ts'
import { texts as federatedLogout } from '../../src/plugins/federated-logout/texts.ts'
import { texts as passwords } from '../../src/plugins/passwords/texts.ts'
import { texts as providerTokens } from '../../src/plugins/provider-tokens/texts.ts'
import { texts as sessions } from '../../src/plugins/sessions/texts.ts'
import { texts as tokens } from '../../src/plugins/tokens/texts.ts'
import { texts as usernames } from '../../src/plugins/usernames/texts.ts'

const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنه'

/** All texts in letters that run from right to left, a third longer. Placeholders stay. */
export const fromRight: Record<string, Message> = Object.fromEntries(
  Object.entries<Message>({
    ...en,
    ...mails,
    ...passkeys,
    ...problemTexts,
    ...federatedLogout.en,
    ...passwords.en,
    ...providerTokens.en,
    ...sessions.en,
    ...tokens.en,
    ...usernames.en,
  }).map(([key, message]) => [
    key,
    typeof message === 'string'
      ? inArabic(message)
      : Object.fromEntries(Object.entries(message).map(([form, text]) => [form, inArabic(text)])),
  ]),
) as Record<string, Message>

function inArabic(text: string): string {
  return text
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? part : longer(part.replace(/[a-z]/gi, letterFor))))
    .join('')
}

function letterFor(letter: string): string {
  return LETTERS[(letter.toLowerCase().codePointAt(0) ?? 97) - 97] ?? letter
}

/** Texts in other languages are longer than in English. */
function longer(text: string): string {
  return text.replaceAll(/(\S{5,})/g, '$1ه')
}
