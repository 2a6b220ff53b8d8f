import { expect, it } from 'vitest'
import { roles } from './theme.ts'

type Role = keyof typeof roles
const textMin = 4.5
const outlineMin = 3
const surfaces = ['--svc-ground', '--svc-surface', '--svc-raised', '--svc-hover', '--svc-chosen'] as const
const states = ['good', 'unpublished', 'warning', 'bad'] as const

const pairs: [front: Role, behind: Role, min: number][] = [
  ...surfaces.flatMap((surface): [Role, Role, number][] => [
    ['--mantine-color-text', surface, textMin],
    ['--mantine-color-dimmed', surface, textMin],
    ['--mantine-color-anchor', surface, textMin],
    ['--mantine-color-default-border', surface === '--svc-chosen' ? '--svc-surface' : surface, outlineMin],
  ]),
  ['--mantine-color-indigo-light-color', '--mantine-color-indigo-light', textMin],
  ['--mantine-color-indigo-light-color', '--mantine-color-indigo-light-hover', textMin],
  ...states.flatMap((state): [Role, Role, number][] => [
    [`--svc-${state}`, `--svc-${state}-tint`, textMin],
    [`--svc-${state}`, '--svc-surface', textMin],
    [`--svc-${state}`, '--svc-ground', textMin],
    ['--mantine-color-text', `--svc-${state}-tint`, textMin],
    ['--mantine-color-dimmed', `--svc-${state}-tint`, textMin],
  ]),
  ...([1, 2, 3, 4] as const).map((arm): [Role, Role, number] => [`--svc-arm-${arm}`, '--svc-surface', outlineMin]),
]

it.each(pairs)('%s on %s has a contrast of %d in light and dark', (front, behind, min) => {
  for (const scheme of [0, 1] as const)
    expect(contrast(roles[front][scheme], roles[behind][scheme])).toBeGreaterThanOrEqual(min)
})

/** The contrast of two colors by WCAG. */
function contrast(one: string, other: string): number {
  const [bright, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright! + 0.05) / (dark! + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
