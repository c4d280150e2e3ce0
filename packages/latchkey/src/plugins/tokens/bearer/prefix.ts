/** The prefix of session tokens. The id of the session and 256 random bits follow. */
export const PREFIX = 'lkb_'
