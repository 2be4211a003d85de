package layout

// spaceNames are the names of spaces by their number, an AllocationSpace (common/globals.h). Versions between
// two spans have one of the two, which one is not known.
var spaceNames = []Span[[]string]{
	{V(7, 4), V(8, 4), []string{"read_only_space", "new_space", "old_space", "code_space", "map_space",
		"large_object_space", "code_large_object_space", "new_large_object_space"}},
	{V(8, 7), V(10, 3), []string{"read_only_space", "old_space", "code_space", "map_space",
		"large_object_space", "code_large_object_space", "new_large_object_space", "new_space"}},
	{V(11, 3), V(11, 8), []string{"read_only_space", "new_space", "old_space", "code_space", "shared_space",
		"new_large_object_space", "large_object_space", "code_large_object_space", "shared_large_object_space"}},
	{V(12, 4), V(12, 4), []string{"read_only_space", "new_space", "old_space", "code_space", "shared_space",
		"trusted_space",
		"new_large_object_space", "large_object_space", "code_large_object_space", "shared_large_object_space",
		"trusted_large_object_space"}},
	{V(12, 6), Version{}, []string{"read_only_space", "new_space", "old_space", "code_space", "shared_space",
		"trusted_space",
		"shared_trusted_space", "new_large_object_space", "large_object_space", "code_large_object_space",
		"shared_large_object_space",
		"shared_trusted_large_object_space", "trusted_large_object_space"}},
}

// SpaceNames returns the names of a version's spaces by number, nil if they are not known.
func SpaceNames(v Version) []string {
	if i, ok := FindSpan(spaceNames, v); ok {
		return spaceNames[i].Value
	}
	return nil
}
