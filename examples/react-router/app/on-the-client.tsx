import { signIn, signOut, useSession } from 'latchkey/react'
import { useRevalidator } from 'react-router'

export function OnTheClient() {
  const { data, status, update } = useSession()
  const { revalidate } = useRevalidator()
  const leave = async () => {
    await signOut({ redirect: false })
    await revalidate()
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
