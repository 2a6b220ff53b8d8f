import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../layout/page.tsx'
import { ColorSchemeSwitch } from '../theme/color-scheme-switch.tsx'
import classes from './door.module.css'
import { Mark } from './mark.tsx'

interface DoorProps {
  title: string
  description?: ReactNode
  children: ReactNode
  /** Under the card: links to other pages. */
  footer?: ReactNode
}

/** The frame of pages for people who are not signed in. */
export function Door({ title, description, children, footer }: DoorProps) {
  const heading = usePageTitle(title)
  return (
    <div className={classes.frame}>
      <main className={classes.main}>
        <div className={classes.brand}>
          <Mark size={32} />
          <span>Svc</span>
        </div>
        <Paper withBorder p="xl" radius="md" className={classes.card}>
          <Stack gap="md">
            <div>
              <Title order={1} ref={heading} tabIndex={-1}>
                {title}
              </Title>
              {description && (
                <Text c="dimmed" size="sm" mt={4} component="div">
                  {description}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
        {footer && (
          <Text size="sm" ta="center" component="div">
            {footer}
          </Text>
        )}
      </main>
      <footer className={classes.footer}>
        <ColorSchemeSwitch />
      </footer>
    </div>
  )
}
