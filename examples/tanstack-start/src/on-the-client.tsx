import { useRouter } from '@tanstack/react-router'
import { signIn, signOut, useSession } from 'latchkey/react'

export function OnTheClient() {
  const { data, status, update } = useSession()
  const router = useRouter()
  const leave = async () => {
    await signOut({ redirect: false })
    await router.invalidate()
  }
  return (
    <>
      <code id="client">{status === 'loading' ? '…' : (data?.user?.email ?? 'nobody')}</code>{' '}
      {status === 'authenticated' ? (
        <>
          <code id="name">{data.user?.name}</code>{' '}
          <button type="button" onClick={() => void update({ name: 'Max' })}>
            Call me Max
          </button>{' '}
          <button type="button" onClick={() => void leave()}>
            Sign out here
          </button>
        </>
      ) : (
        <button type="button" onClick={() => void signIn('development')}>
          Sign in with the development account
        </button>
      )}
    </>
  )
}
