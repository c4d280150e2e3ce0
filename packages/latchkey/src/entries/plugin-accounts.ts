/**
 * What plugins of accounts share: steps that span several pages, codes, and events of security. It is loaded only with
 * the routes of such plugins.
 *
 * @module
 */
export { type MailAbout, type MailParts, sendMail } from '../account-kit/account-mail.ts'
export { ADDRESS_CHANGE, endAddressChange } from '../account-kit/address-change.ts'
export { type PageParts, pageParts } from '../account-kit/calls/page-parts.ts'
export { type Person, personOf } from '../account-kit/calls/person.ts'
export { type Cleared, cleanHands, hasPassword } from '../account-kit/clean-hands.ts'
export { endSessions } from '../account-kit/end-sessions.ts'
export { type FlowCookie, flowCookie } from '../account-kit/flow-cookie.ts'
export {
  type CodeMailing,
  type CodePlace,
  type CodeProver,
  type CodePurpose,
  type CodeRules,
  type MailedCodes,
  mailedCodes,
  placeOfProver,
} from '../account-kit/mailed-code.ts'
export { notMeButton } from '../account-kit/not-me.ts'
export { type PresentSessions, presentSessions } from '../account-kit/present-sessions.ts'
export { type AccountProfile, profilesOf } from '../account-kit/profile.ts'
export { findPublic, publicId } from '../account-kit/public-id.ts'
export { readAddress } from '../account-kit/read-address.ts'
export { inLanguageOf } from '../account-kit/receiver-language.ts'
export { type SecurityEvent, tellSecurity } from '../account-kit/security-event.ts'
export {
  linkedAccounts,
  nameOfWay,
  removeWayIn,
  type WayIn,
  waysIn,
} from '../account-kit/ways-in.ts'
export { withChallenge } from '../account-kit/with-challenge.ts'
export { type CodeLength, drawCode, readCode } from '../flows/email/sign-in-code.ts'
export { foreignText } from '../mail/foreign-text.ts'
export type { SecurityEventType } from '../options/events.ts'
export {
  ACR,
  type Acr,
  acrOf,
  type Factors,
  factorsOf,
  isSecondFactor,
} from '../session/proof/factors.ts'
export { allOrNothing, type Group } from '../sign-in/all-or-nothing.ts'
