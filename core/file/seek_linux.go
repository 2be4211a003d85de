package file

// Where Seek finds data and holes (lseek(2)).
const (
	seekData = 3
	seekHole = 4
)
