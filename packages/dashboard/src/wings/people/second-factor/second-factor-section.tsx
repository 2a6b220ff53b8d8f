import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../../shell/session.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { DisableSecondFactor } from './disable-second-factor.tsx'
import { EnableSecondFactor } from './enable-second-factor.tsx'
import { RenewRecoveryCodes } from './renew-recovery-codes.tsx'

type Dialog = 'enable' | 'renew' | 'disable' | null

export function SecondFactorSection() {
  const { user } = useSession()
  const [dialog, setDialog] = useState<Dialog>(null)
  const close = () => setDialog(null)
  return (
    <Section
      title="Second factor"
      description="Asks for a code from an app on your phone after the password. A stolen password alone is then useless."
      actions={
        user.secondFactor ? <StatusBadge tone="good">On</StatusBadge> : <StatusBadge tone="warning">Off</StatusBadge>
      }
    >
      <Group gap="xs">
        {user.secondFactor ? (
          <>
            <Button variant="default" onClick={() => setDialog('renew')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => setDialog('disable')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setDialog('enable')}>
            Set up
          </Button>
        )}
      </Group>
      {dialog === 'enable' && <EnableSecondFactor onClose={close} />}
      {dialog === 'renew' && <RenewRecoveryCodes onClose={close} />}
      {dialog === 'disable' && <DisableSecondFactor onClose={close} />}
    </Section>
  )
}
