import type { Plugin } from 'vite'
import { roles } from './src/ui/theme/theme.ts'

const name = 'virtual:editor-colors.css'

/** `import 'virtual:editor-colors.css'`: the colors of the theme as variables, in light and dark as the system has it. */
export function editorColors(): Plugin {
  const inScheme = (scheme: 0 | 1) =>
    Object.entries(roles)
      .map(([role, colors]) => `${role.replace('--mantine-color-', '--svc-')}:${colors[scheme]}`)
      .join(';')
  return {
    name: 'editor-colors',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) =>
      id === `\0${name}` ? `:root{${inScheme(0)}}@media (prefers-color-scheme:dark){:root{${inScheme(1)}}}` : null,
  }
}
