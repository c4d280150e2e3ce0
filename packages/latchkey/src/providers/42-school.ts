/**
 * Sign in with 42 School.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/42-school`, then set
 * `AUTH_42_SCHOOL_ID` and `AUTH_42_SCHOOL_SECRET`.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer. */
export interface FortyTwoProfile extends UserData {
  image: Image
  groups: { id: string; name: string }[]
  cursus_users: CursusUser[]
  projects_users: ProjectUser[]
  languages_users: LanguagesUser[]
  achievements: Achievement[]
  titles: { id: string; name: string }[]
  titles_users: TitlesUser[]
  partnerships: unknown[]
  patroned: unknown[]
  patroning: unknown[]
  expertises_users: ExpertisesUser[]
  roles: { id: string; name: string }[]
  campus: Campus[]
  campus_users: CampusUser[]
  [member: string]: unknown
}

/** The part of a user that is shown wherever one is named. */
export interface UserData {
  id: number
  email: string
  login: string
  first_name: string
  last_name: string
  /** The name that the student chose to be called by. */
  usual_full_name: string | null
  usual_first_name: string | null
  url: string
  phone: string | null
  displayname: string
  image_url: string | null
  'staff?': boolean
  correction_point: number
  pool_month: string | null
  pool_year: string | null
  /** The seat, while they are logged in at a campus. */
  location: string | null
  wallet: number
  anonymize_date: string
  created_at: string
  updated_at: string | null
  alumni: boolean
  'is_launched?': boolean
}

export interface CursusUser {
  id: number
  grade: string | null
  level: number
  skills: { id: number; name: string; level: number }[]
  blackholed_at: string | null
  begin_at: string | null
  end_at: string | null
  cursus_id: number
  has_coalition: boolean
  created_at: string
  updated_at: string | null
  user: UserData
  cursus: { id: number; created_at: string; name: string; slug: string }
}

export interface ProjectUser {
  id: number
  occurrence: number
  /** `null` while nobody has marked it. */
  final_mark: number | null
  status: 'in_progress' | 'finished'
  'validated?': boolean | null
  current_team_id: number
  project: { id: number; name: string; slug: string; parent_id: number | null }
  cursus_ids: number[]
  marked_at: string | null
  marked: boolean
  retriable_at: string | null
  created_at: string
  updated_at: string | null
}

export interface Achievement {
  id: number
  name: string
  description: string
  tier: 'none' | 'easy' | 'medium' | 'hard' | 'challenge'
  kind: 'scolarity' | 'project' | 'pedagogy'
  visible: boolean
  image: string | null
  nbr_of_success: number | null
  users_url: string
}

export interface LanguagesUser {
  id: number
  language_id: number
  user_id: number
  position: number
  created_at: string
}

export interface TitlesUser {
  id: number
  user_id: number
  title_id: number
  selected: boolean
  created_at: string
  updated_at: string | null
}

export interface ExpertisesUser {
  id: number
  expertise_id: number
  interested: boolean
  value: number
  contact_me: boolean
  created_at: string
  user_id: number
}

export interface Campus {
  id: number
  name: string
  time_zone: string
  language: {
    id: number
    name: string
    identifier: string
    created_at: string
    updated_at: string | null
  }
  users_count: number
  vogsphere_id: number
  country: string
  address: string
  zip: string
  city: string
  website: string
  facebook: string
  twitter: string
  active: boolean
  email_extension: string
  default_hidden_phone: boolean
}

export interface CampusUser {
  id: number
  user_id: number
  campus_id: number
  is_primary: boolean
  created_at: string
  updated_at: string | null
}

export interface Image {
  /** `null` for an account without a photo, as the versions. */
  link: string | null
  versions: Record<'micro' | 'small' | 'medium' | 'large', string | null>
}

const fortyTwo: OAuthProvider<FortyTwoProfile> = oauth({
  id: '42-school',
  name: '42 School',
  authorization: { url: 'https://api.intra.42.fr/oauth/authorize', params: { scope: 'public' } },
  token: 'https://api.intra.42.fr/oauth/token',
  userinfo: 'https://api.intra.42.fr/v2/me',
  profile: ({ id, usual_full_name, email, image }) => ({
    id: String(id),
    name: usual_full_name,
    email,
    image: image?.link ?? null,
  }),
})

export default fortyTwo
