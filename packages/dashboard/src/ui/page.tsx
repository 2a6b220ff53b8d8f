import { Group, Stack, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './page.module.css'

interface PageProps {
  /** Of the document as well, and what is read out after a navigation. */
  title: string
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page: its title in the document and in the one h1, which takes the focus when one navigates here. */
export function Page({ title, description, actions, children }: PageProps) {
  const heading = usePageTitle(title)
  return (
    <Stack gap="lg" className={classes.page}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes.words}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

/** Says the title in the document, and gives the heading the focus, but not on the page that one arrived at. */
export function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    document.title = `${title} · Svc`
  }, [title])
  useEffect(() => {
    if (path !== undefined && path !== location.pathname) return
    if (arrivedAt !== undefined && arrivedAt !== location.pathname) heading.current?.focus()
    arrivedAt = location.pathname
  }, [path])
  return heading
}

let arrivedAt: string | undefined
