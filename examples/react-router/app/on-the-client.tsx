import { signIn, signOut, useSession } from 'latchkey/react'
import { useRevalidator } from 'react-router'

export function OnTheClient() {
  const { data, status } = useSession()
  const { revalidate } = useRevalidator()
  const leave = async () => {
    await signOut({ redirect: false })
    await revalidate()
  }
  return (
    <>
      <code id="client">{status === 'loading' ? '…' : (data?.user?.email ?? 'nobody')}</code>{' '}
      {status === 'authenticated' ? (
        <button type="button" onClick={() => void leave()}>
          Sign out here
        </button>
      ) : (
        <button type="button" onClick={() => void signIn('development')}>
          Sign in with the development account
        </button>
      )}
    </>
  )
}
