export const whoMakesTokens =
  'Service tokens give programs access to the whole organization. Only owners and administrators can manage them. For your own programs, use a personal token.'
