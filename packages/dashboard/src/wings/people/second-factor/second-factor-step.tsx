import { Anchor, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { enter } from '../../../shell/session.ts'
import { useSignOut } from '../../../shell/sign-out.ts'
import { Door } from '../../../ui/door/door.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { CodeField } from './code-field.tsx'

/** After the password: a code from the app, or a recovery code. */
export function SecondFactorStep() {
  const [hasApp, setHasApp] = useState(true)
  const signOut = useSignOut()
  return (
    <Door
      title="Second factor"
      description={
        hasApp
          ? 'Enter the code from your authenticator app.'
          : 'Enter one of the recovery codes that you saved when you set up the second factor. Each works once.'
      }
      footer={
        <Anchor component="button" type="button" onClick={() => void signOut()}>
          Sign in as another person
        </Anchor>
      }
    >
      {hasApp ? <AppCode /> : <RecoveryCode />}
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setHasApp(!hasApp)}>
        {hasApp ? 'Use a recovery code instead' : 'Use the authenticator app instead'}
      </Anchor>
    </Door>
  )
}

function AppCode() {
  const client = useQueryClient()
  const form = useForm({
    initial: { code: '' },
    rules: { code: required('Enter the code.') },
    send: async ({ code }) => {
      const body = { code: code.replaceAll(' ', '') }
      return (await api.POST('/api/dashboard/sign-in/second-factor', { body })).data!.data
    },
    done: (state) => enter(client, state),
  })
  return (
    <ApiForm form={form} verb="Sign in" isWide>
      <CodeField {...form.field('code')} {...first} />
    </ApiForm>
  )
}

function RecoveryCode() {
  const client = useQueryClient()
  const form = useForm({
    initial: { recoveryCode: '' },
    rules: { recoveryCode: required('Enter a recovery code.') },
    send: async ({ recoveryCode }) => {
      const body = { recoveryCode: recoveryCode.trim() }
      return (await api.POST('/api/dashboard/sign-in/second-factor', { body })).data!.data
    },
    done: (state) => enter(client, state),
  })
  return (
    <ApiForm form={form} verb="Sign in" isWide>
      <TextInput
        {...form.field('recoveryCode')}
        label="Recovery code"
        autoComplete="off"
        spellCheck={false}
        {...first}
      />
    </ApiForm>
  )
}
