/** The texts of the page, by language and key. */
export const texts = {
  en: {
    'mailbox:title': 'Mailbox',
    'mailbox:lead':
      'This site has no mail service yet, so mails are kept here until the process ends.',
    'mailbox:none': 'No mails',
    'mailbox:none.about': 'Sign up or ask for a code, then come back.',
    'mailbox:again': 'Look again',
    'mailbox:to': 'To {email}, {time}',
    'mailbox:code': 'Code: {code}',
    'mailbox:open': 'Open the link',
    'mailbox:text': 'Text of the mail',
    'mailbox:html': 'The mail as it looks',
  },
} as const

export type MailboxKey = keyof (typeof texts)['en']
