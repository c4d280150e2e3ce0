/** What tokens of sessions begin with: then the name of the session, and 256 random bits. */
export const PREFIX = 'lkb_'
