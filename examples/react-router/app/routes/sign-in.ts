import { latchkey } from '../auth.server'
import type { Route } from './+types/sign-in'

export const action = ({ request }: Route.ActionArgs) => latchkey.signIn(request)
