import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { Outlet, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ColorSchemeSwitch } from '../src/ui/theme/color-scheme-switch.tsx'
import { type Density, useDensity } from '../src/ui/theme/density.ts'
import classes from './gallery.module.css'

export interface Exhibit {
  default: () => ReactNode
}

/** The frame around a page of the gallery. */
export function Gallery({ names }: { names: readonly string[] }) {
  const path = useRouterState({ select: ({ location }) => location.pathname.slice(1) })
  const [density, choose] = useDensity()
  const other: Record<Density, Density> = { comfortable: 'compact', compact: 'comfortable' }
  return (
    <div className={classes.frame}>
      <nav className={classes.nav} aria-label="Components">
        {names.map((name) => (
          <Anchor key={name} href={`/${name}`} aria-current={name === path ? 'page' : undefined}>
            {name}
          </Anchor>
        ))}
      </nav>
      <main className={classes.main}>
        <Group justify="space-between">
          <Title order={1}>{path === '' ? 'Components' : path}</Title>
          <Group gap="sm">
            <button type="button" className={classes.density} onClick={() => choose(other[density])}>
              {density}
            </button>
            <ColorSchemeSwitch />
          </Group>
        </Group>
        <Outlet />
      </main>
    </div>
  )
}

export function Overview() {
  return <Text>Choose a component. Each file in packages/dashboard/gallery is a page.</Text>
}

/** One state of a component, with its name. */
export function Specimen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Title order={2} size="sm" c="dimmed">
        {title}
      </Title>
      <div className={classes.specimen}>{children}</div>
    </Stack>
  )
}
