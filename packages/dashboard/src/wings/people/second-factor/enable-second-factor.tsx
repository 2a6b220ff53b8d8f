import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useRefreshSession } from '../../../shell/session.ts'
import { CopyField } from '../../../ui/code/copy-field.tsx'
import { QrCode } from '../../../ui/code/qr-code.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, required, useForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { CodeField } from './code-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** The app gets the secret, and a code confirms that. Then the recovery codes are shown once. */
export function EnableSecondFactor({ onClose }: { onClose: () => void }) {
  const refresh = useRefreshSession()
  const [codes, setCodes] = useState<string[]>()
  const isBetween = codes !== undefined
  const finish = () => {
    onClose()
    void refresh()
  }
  return (
    <Dialog
      onClose={finish}
      title={isBetween ? 'Second factor turned on' : 'Set up the second factor'}
      isFirm={isBetween}
    >
      {isBetween ? <RecoveryCodes codes={codes} onDone={finish} /> : <Enrolment onEnabled={setCodes} />}
    </Dialog>
  )
}

function Enrolment({ onEnabled }: { onEnabled: (recoveryCodes: string[]) => void }) {
  const enrolment = useQuery({
    queryKey: ['second-factor', 'enrolment'],
    queryFn: async () => (await api.POST('/api/dashboard/me/second-factor')).data!.data,
    // Each call creates a new secret, so there must be one call each time the dialog opens.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const form = useForm({
    initial: { code: '' },
    rules: { code: required('Enter the code from the app.') },
    send: async ({ code }) => {
      const body = { code: code.replaceAll(' ', '') }
      return (await api.POST('/api/dashboard/me/second-factor/confirm', { body })).data!.data
    },
    done: ({ recoveryCodes }) => onEnabled(recoveryCodes),
  })
  return (
    <Loaded query={enrolment}>
      {({ secret, uri }) => (
        <Stack gap="md">
          <Text size="sm">
            1. Scan this QR code with an authenticator app, such as the one in your password manager or phone.
          </Text>
          <QrCode text={uri} label="The secret for the authenticator app as a QR image" />
          <CopyField label="Or enter this secret in the app" value={secret} />
          <Text size="sm">2. Enter the code that the app shows.</Text>
          <ApiForm form={form} verb="Turn on">
            <CodeField {...form.field('code')} />
          </ApiForm>
        </Stack>
      )}
    </Loaded>
  )
}
