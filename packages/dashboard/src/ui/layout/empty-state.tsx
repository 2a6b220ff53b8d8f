import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  icon: ReactNode
  title: string
  /** What belongs here, and how to add it. */
  children: ReactNode
  action?: ReactNode
}

/** Replaces an empty list. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack className={classes.frame} align="center" gap="xs">
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" size="sm" maw={460}>
        {children}
      </Text>
      {action && <div className={classes.action}>{action}</div>}
    </Stack>
  )
}
