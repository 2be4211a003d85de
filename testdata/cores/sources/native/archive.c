/*
 * archive FILE ENTRY ENTRY: map two libraries out of a zip archive, as Android's
 * linker does with those of an application, run through both, and crash. The C
 * library knows neither: what is mapped where is all that is said of them.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noipa))
#define PAGE 4096UL

typedef int callback(int);
typedef int plugin(callback *, int);
static volatile int *volatile nowhere;
static plugin *plugins[2];

/* The headers of zip files (APPNOTE.TXT, 4.3.7), which are not aligned. */
static uint32_t little(const unsigned char *p, int n) { return n ? *p | little(p + 1, n - 1) << 8 : 0; }

/* find_entry returns where the bytes of an entry that is stored begin; 0 if there is none. */
static uint64_t find_entry(const unsigned char *zip, size_t size, const char *name)
{
	for (size_t at = 0; at + 30 <= size && little(zip + at, 4) == 0x04034b50;) {
		uint32_t length = little(zip + at + 26, 2), data = at + 30 + length + little(zip + at + 28, 2);
		if (length == strlen(name) && !memcmp(zip + at + 30, name, length))
			return little(zip + at + 8, 2) == 0 && data % PAGE == 0 ? data : 0;
		at = data + little(zip + at + 18, 4);
	}
	return 0;
}

/* map_library maps the segments of the library at an offset of a file. */
static char *map_library(int fd, const unsigned char *file, uint64_t offset)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)(file + offset);
	const Elf64_Phdr *ph = (const Elf64_Phdr *)(file + offset + eh->e_phoff), *end = ph + eh->e_phnum;
	uint64_t size = 0;
	for (const Elf64_Phdr *p = ph; p < end; p++)
		if (p->p_type == PT_LOAD)
			size = p->p_vaddr + p->p_memsz;
	char *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (const Elf64_Phdr *p = ph; p < end && base != MAP_FAILED; p++) {
		uint64_t skew = p->p_vaddr % PAGE;
		int prot = (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_W ? PROT_WRITE : 0) | (p->p_flags & PF_X ? PROT_EXEC : 0);
		if (p->p_type == PT_LOAD && mmap(base + p->p_vaddr - skew, p->p_filesz + skew, prot, MAP_PRIVATE | MAP_FIXED, fd, offset + p->p_offset - skew) == MAP_FAILED)
			return MAP_FAILED;
	}
	return base;
}

/* find_symbol returns the address of a function of the library at base. */
static void *find_symbol(char *base, const char *name)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)base;
	const Elf64_Phdr *ph = (const Elf64_Phdr *)(base + eh->e_phoff);
	const Elf64_Dyn *dyn = NULL;
	const Elf64_Sym *symbols = NULL;
	const char *names = NULL;
	uint32_t n = 0;
	for (int i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_DYNAMIC)
			dyn = (const Elf64_Dyn *)(base + ph[i].p_vaddr);
	for (; dyn && dyn->d_tag != DT_NULL; dyn++) {
		char *at = base + dyn->d_un.d_ptr;
		if (dyn->d_tag == DT_SYMTAB)
			symbols = (const Elf64_Sym *)at;
		else if (dyn->d_tag == DT_STRTAB)
			names = at;
		else if (dyn->d_tag == DT_HASH)
			n = ((const uint32_t *)at)[1];
	}
	for (uint32_t i = 1; i < n && symbols && names; i++)
		if (!strcmp(names + symbols[i].st_name, name))
			return base + symbols[i].st_value;
	return NULL;
}

FRAME int on_second(int v) { *nowhere = v; return v + 1; }
FRAME int on_first(int v) { return plugins[1](on_second, v + 1) + 1; }
FRAME int run(void) { return plugins[0](on_first, 1) + 1; }

int main(int argc, char **argv)
{
	struct stat st;
	int fd = argc == 4 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0 || fstat(fd, &st))
		return 2;
	const unsigned char *file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	for (int i = 0; i < 2; i++) {
		uint64_t offset = find_entry(file, st.st_size, argv[2 + i]);
		char *base = offset ? map_library(fd, file, offset) : MAP_FAILED;
		if (base == MAP_FAILED || !(plugins[i] = (plugin *)find_symbol(base, "plug_entry"))) {
			fprintf(stderr, "archive: %s of %s cannot be mapped\n", argv[2 + i], argv[1]);
			return 2;
		}
	}
	munmap((void *)file, st.st_size);
	close(fd);
	return run() + 1;
}
