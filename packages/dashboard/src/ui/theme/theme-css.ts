import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { cssVariablesResolver, theme } from './theme.ts'

/** The variables that MantineProvider would write into a <style>, for a stylesheet in the build. */
export function themeCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const [base, own] = [defaultCssVariablesResolver(merged), cssVariablesResolver(merged)]
  const light = { ...base.light, ...own.light }
  const onScreen = convertCssVariables({
    variables: { ...base.variables, ...own.variables },
    light,
    dark: { ...base.dark, ...own.dark },
  })
  // Paper is white, and browsers print no dark ground.
  const onPaper = convertCssVariables({ variables: {}, light: {}, dark: light })
  return `${onScreen} @media print { ${onPaper} }`
}
