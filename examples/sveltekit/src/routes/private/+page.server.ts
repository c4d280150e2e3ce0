import type { PageServerLoad } from './$types'

// With this, the server is asked before the page is shown, also when the browser moves on by itself.
export const load: PageServerLoad = async () => ({})
