/**
 * The mailbox of development, for plugins that send mails: put `developmentMailbox()` in `brings`.
 *
 * @module
 */
export { developmentMailbox } from '../plugins/mailbox/index.ts'
export {
  codeIn,
  createMailStore,
  type KeptMail,
  linkIn,
  type MailStore,
} from '../plugins/mailbox/store.ts'
